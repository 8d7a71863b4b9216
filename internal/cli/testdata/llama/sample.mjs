// Has llama.cpp write replies that are held to a grammar: sample.mjs MODEL MOST TIMES GRAMMAR TIMES GRAMMAR… prints a line of
// JSON for each reply, of at most MOST tokens, and for each grammar that it does not take.
// The model is made here, below the name MODEL: one layer of random weights, which knows no word and so goes wherever a grammar lets it.
import {readFileSync, writeFileSync} from "node:fs";
import {getLlama, LlamaGrammar, LlamaGrammarEvaluationState, LlamaLogLevel, TokenBias} from "node-llama-cpp";

const [, , file, most, ...wanted] = process.argv;

// GGUF, version 3: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
function gguf() {
    const parts = [];
    const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
    const u64 = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt(n)); return b; };
    const f32 = (n) => { const b = Buffer.alloc(4); b.writeFloatLE(n); return b; };
    const text = (s) => { const b = Buffer.isBuffer(s) ? s : Buffer.from(s); return Buffer.concat([u64(b.length), b]); };
    const kinds = {u32: [4, u32], i32: [5, u32], f32: [6, f32], bool: [7, (v) => Buffer.from([v ? 1 : 0])], text: [8, text]};
    const list = (kind, values) => Buffer.concat([u32(9), u32(kinds[kind][0]), u64(values.length), ...values.map(kinds[kind][1])]);
    const value = (kind, v) => Buffer.concat([u32(kinds[kind][0]), kinds[kind][1](v)]);

    // Single bytes, the printable characters, and pieces that run over the borders of what JSON is made of.
    const tokens = ["<unk>", "<s>", "</s>"], types = [2, 3, 3];
    for (let i = 0; i < 256; i++) { tokens.push(`<0x${i.toString(16).toUpperCase().padStart(2, "0")}>`); types.push(6); }
    for (let i = 32; i < 127; i++) { tokens.push(i === 32 ? "\u2581" : String.fromCharCode(i)); types.push(1); }
    for (const piece of ['{"', '":', '":"', '","', '"}', '"]', '}]', '},{', '\\n', '\\"', 'null', 'true', 'ing', 'file', 'あ', '表', '🎉', 'é']) { tokens.push(piece); types.push(1); }

    const wide = 32, deep = 64;
    const facts = [
        ["general.architecture", value("text", "llama")], ["llama.context_length", value("u32", 8192)], ["llama.embedding_length", value("u32", wide)],
        ["llama.block_count", value("u32", 1)], ["llama.feed_forward_length", value("u32", deep)], ["llama.attention.head_count", value("u32", 2)],
        ["llama.attention.layer_norm_rms_epsilon", value("f32", 1e-5)], ["llama.rope.dimension_count", value("u32", wide / 2)],
        ["tokenizer.ggml.model", value("text", "llama")], ["tokenizer.ggml.tokens", list("text", tokens)],
        ["tokenizer.ggml.scores", list("f32", tokens.map(() => 0))], ["tokenizer.ggml.token_type", list("i32", types)],
        ["tokenizer.ggml.bos_token_id", value("u32", 1)], ["tokenizer.ggml.eos_token_id", value("u32", 2)], ["tokenizer.ggml.unknown_token_id", value("u32", 0)],
    ];
    let seed = 1;
    const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 1073741824 - 1; };
    const tensors = [
        ["token_embd.weight", [wide, tokens.length]], ["output_norm.weight", [wide]], ["output.weight", [wide, tokens.length]],
        ...["attn_norm", "ffn_norm"].map((n) => [`blk.0.${n}.weight`, [wide]]),
        ...["attn_q", "attn_k", "attn_v", "attn_output"].map((n) => [`blk.0.${n}.weight`, [wide, wide]]),
        ["blk.0.ffn_gate.weight", [wide, deep]], ["blk.0.ffn_up.weight", [wide, deep]], ["blk.0.ffn_down.weight", [deep, wide]],
    ];
    parts.push(Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(facts.length), ...facts.flatMap(([name, v]) => [text(name), v]));
    let at = 0;
    const bodies = [];
    for (const [name, shape] of tensors) {
        const many = shape.reduce((a, b) => a * b, 1), body = Buffer.alloc(Math.ceil(many * 4 / 32) * 32);
        for (let i = 0; i < many; i++) body.writeFloatLE(shape.length === 1 ? 1 : random() * 0.2, i * 4);
        parts.push(text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(at));
        at += body.length;
        bodies.push(body);
    }
    const head = Buffer.concat(parts);
    return Buffer.concat([head, Buffer.alloc((32 - head.length % 32) % 32), ...bodies]);
}

writeFileSync(file, gguf());
const llama = await getLlama({gpu: false, maxThreads: 1, build: "never", logLevel: LlamaLogLevel.error});
const model = await llama.loadModel({modelPath: file});
const context = await model.createContext({contextSize: 8192, threads: 1, batchSize: 32});
const sequence = context.getSequence();
// Without this a string would be a thousand characters long, and most of them none.
const tokenBias = TokenBias.for(model);
for (const token of model.iterateAllTokens()) {
    const piece = model.detokenize([token], true);
    if (piece.includes('"')) tokenBias.set(token, {logit: 3});
    else if (token > 2 && token < 259) tokenBias.set(token, {logit: -4});
}
for (let n = 0; n < wanted.length; n += 2) {
    let grammar;
    try {
        grammar = new LlamaGrammar(llama, {grammar: readFileSync(wanted[n + 1], "utf8")});
    } catch (e) {
        console.log(JSON.stringify({grammar: wanted[n + 1], refused: String(e)}));
        continue;
    }
    for (let i = 0; i < Number(wanted[n]); i++) {
        const written = [], grammarEvaluationState = new LlamaGrammarEvaluationState({model, grammar});
        let whole = true;
        for await (const token of sequence.evaluate(model.tokenize("x"), {temperature: 1, seed: i + 1, tokenBias, grammarEvaluationState})) {
            if (whole = written.push(token) < Number(most)) continue;
            break;
        }
        console.log(JSON.stringify({grammar: wanted[n + 1], text: model.detokenize(written), whole}));
        await sequence.clearHistory();
    }
}
process.exit(0);
