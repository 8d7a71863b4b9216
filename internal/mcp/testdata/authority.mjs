// A server at which people log in, for the tests: oidc-provider, with its own pages for people. It prints its address.
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { Provider } = await import(pathToFileURL(path.join(process.argv[2], "node_modules/oidc-provider/lib/index.js")));
const server = http.createServer();
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: "resource", client_secret: "known to the tests", redirect_uris: [], response_types: [], grant_types: [] }],
  cookies: { keys: ["tests"] },
  pkce: { required: () => true },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  features: {
    registration: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({ scope: "tools", accessTokenTTL: Number(process.argv[3]), accessTokenFormat: "opaque" }),
    },
  },
});
server.on("request", provider.callback());
console.log(issuer);
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
