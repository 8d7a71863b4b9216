// An editor that is led over standard input, a JSON object a line: {"request", "params", "id"} asks the agent, {"notify",
// "params"} tells it something, {"answers"} are given to what it asks, {"buffers"} are texts of files that are not saved. What the agent says is printed, checked by the library.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
child.on("exit", (code, signal) => print({ left: signal ?? code }));
const print = (what) => process.stdout.write(JSON.stringify(what) + "\n");
const answers = [];
const waiting = [];
const buffers = {};
const app = acp
  .client({ name: "editor" })
  .onNotification(acp.methods.client.session.update, ({ params }) => print({ update: params.update }))
  .onRequest(acp.methods.client.session.requestPermission, async ({ params }) => {
    print({ asked: params });
    const optionId = answers.shift() ?? (await new Promise((done) => waiting.push(done)));
    return { outcome: optionId ? { outcome: "selected", optionId } : { outcome: "cancelled" } };
  })
  .onRequest(acp.methods.client.fs.readTextFile, ({ params }) => ({ content: buffers[params.path] ?? readFileSync(params.path, "utf8") }))
  .onRequest(acp.methods.client.fs.writeTextFile, ({ params }) => {
    delete buffers[params.path];
    writeFileSync(params.path, params.content);
    print({ saved: params.content });
    return {};
  });
const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
await app
  .connectWith(stream, async (agent) => {
  for await (const line of createInterface({ input: process.stdin })) {
    const { request, notify, params, id, answers: more, buffers: texts, kill } = JSON.parse(line);
    Object.assign(buffers, texts);
    for (const answer of more ?? []) waiting.length > 0 ? waiting.shift()(answer) : answers.push(answer);
    if (kill) child.kill("SIGKILL");
    if (notify) {
      agent.notify(notify, params);
      for (const done of waiting.splice(0)) done();
    }
    if (request) {
      agent.request(request, params).then(
        (result) => print({ id, result }),
        (e) => print({ id, error: { code: e.code, message: e.message } }),
      );
    }
  }
})
  .catch((e) => print({ closed: String(e) })); // nebula was killed
child.stdin.end();
