import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { Content, GenerationConfig, ThinkingConfig, ThinkingLevel, Tool } from "@google/genai";

export type Chat = ChatCompletionCreateParamsStreaming;
export type Responses = ResponseCreateParamsStreaming;
export type Messages = MessageCreateParamsStreaming;
type Thinking = Omit<ThinkingConfig, "thinkingLevel"> & { thinkingLevel?: `${ThinkingLevel}` };
export type Gemini = {
  contents: Content[];
  systemInstruction?: Content;
  tools?: Tool[];
  generationConfig?: Omit<GenerationConfig, "thinkingConfig"> & { thinkingConfig?: Thinking };
};
