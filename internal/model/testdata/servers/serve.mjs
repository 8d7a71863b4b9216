// Serves a conversation with a call in every provider's form, until its input ends.
import { LLMock } from "@copilotkit/aimock";

const mock = new LLMock({ port: 0 });
mock.addFixture({
  match: { userMessage: "weather", hasToolResult: false },
  response: { reasoning: "I look it up.", toolCalls: [{ name: "weather", arguments: JSON.stringify({ location: "Oslo" }) }] },
});
mock.addFixture({ match: { hasToolResult: true, toolResultContains: "5 degrees" }, response: { content: "It is cold in Oslo." } });
await mock.start();
console.log(mock.url);
process.stdin.on("end", () => process.exit(0)).resume();
