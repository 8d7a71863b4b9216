// A client of nebula mcp serve, with the protocol's own library: client.mjs FORMS NEBULA MESSAGE… calls run with each message, answers each
// form as FORMS says (yes, no, decline, or none for a client that has no forms), and prints a line of JSON for each form and each result.
import {Client} from "@modelcontextprotocol/sdk/client/index.js";
import {StdioClientTransport} from "@modelcontextprotocol/sdk/client/stdio.js";
import {ElicitRequestSchema} from "@modelcontextprotocol/sdk/types.js";

const [, , forms, nebula, ...messages] = process.argv;
const client = new Client({name: "another agent", version: "1"}, {capabilities: forms === "none" ? {} : {elicitation: {}}});
if (forms !== "none") client.setRequestHandler(ElicitRequestSchema, async (request) => {
    console.log(JSON.stringify({asked: request.params.message, form: request.params.requestedSchema}));
    if (forms === "decline") return {action: "decline"};
    return {action: "accept", content: forms === "no" ? {answer: "no", text: "not today"} : {answer: forms}};
});
await client.connect(new StdioClientTransport({command: nebula, args: ["mcp", "serve"], env: process.env, stderr: "inherit"}));
const {tools} = await client.listTools();
console.log(JSON.stringify({tools: tools.map((t) => [t.name, t.annotations?.readOnlyHint ?? false])}));
for (const message of messages) {
    const result = await client.callTool({name: "run", arguments: {message}});
    console.log(JSON.stringify({text: result.content[0].text, failed: result.isError ?? false}));
}
await client.close();
