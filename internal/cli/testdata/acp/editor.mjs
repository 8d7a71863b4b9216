// An editor that is led over standard input, a JSON object a line: {"request", "params", "id"} asks the agent, {"notify",
// "params"} tells it something, {"answers"} are given to what it asks. What the agent says is printed, checked by the library.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
child.on("exit", (code, signal) => print({ left: signal ?? code }));
const print = (what) => process.stdout.write(JSON.stringify(what) + "\n");
const answers = [];
const cancelled = [];
const app = acp
  .client({ name: "editor" })
  .onNotification(acp.methods.client.session.update, ({ params }) => print({ update: params.update }))
  .onRequest(acp.methods.client.session.requestPermission, async ({ params }) => {
    print({ asked: params });
    if (answers.length > 0) return { outcome: { outcome: "selected", optionId: answers.shift() } };
    await new Promise((done) => cancelled.push(done));
    return { outcome: { outcome: "cancelled" } };
  });
const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
await app
  .connectWith(stream, async (agent) => {
  for await (const line of createInterface({ input: process.stdin })) {
    const { request, notify, params, id, answers: more, kill } = JSON.parse(line);
    if (more) answers.push(...more);
    if (kill) child.kill("SIGKILL");
    if (notify) {
      agent.notify(notify, params);
      for (const done of cancelled.splice(0)) done();
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
