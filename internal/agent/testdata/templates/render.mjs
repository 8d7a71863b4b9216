// Renders chat requests, one a line on standard input, through the template whose file each names, as the servers do that
// carry the models: arguments are handed over as objects, and as text where the template wants text; reasoning is called
// thinking, too. A line comes back for each: empty, or what the template says against the request.
import { Template } from "@huggingface/jinja";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const templates = new Map();
const template = (file) => {
  if (!templates.has(file)) templates.set(file, new Template(readFileSync(file, "utf8")));
  return templates.get(file);
};

const withArguments = (messages, read) =>
  messages.map((m) => {
    const out = { ...m };
    if (m.tool_calls) out.tool_calls = m.tool_calls.map((c) => ({ ...c, function: { ...c.function, arguments: read(c.function.arguments) } }));
    if (m.reasoning_content) out.thinking = m.reasoning_content;
    return out;
  });

const render = (file, request, read) =>
  template(file).render({
    messages: withArguments(request.messages, read),
    tools: request.tools ?? null,
    add_generation_prompt: true,
    bos_token: "<s>",
    eos_token: "</s>",
  });

for await (const line of createInterface({ input: process.stdin })) {
  const { file, request } = JSON.parse(line);
  let said = "";
  try {
    render(file, request, JSON.parse);
  } catch (asObject) {
    try {
      render(file, request, (text) => text);
    } catch {
      said = asObject.message || "error";
    }
  }
  console.log(JSON.stringify(said));
}
