/** An answer in the chat is all that these ask for, however politely. */
const EXPLANATION = /\b(explain|describe|tell me|show me|erkläre?|beschreibe?|zeig mir)\b/i;
const REQUEST = /\b(please|bitte)\b|^(can|could|would|will|kannst|könntest|würdest) (you|du)\b/i;
const QUESTION =
  /\?\s*$|^(why|what|which|who|when|where|how|is|are|was|were|does|did|warum|wieso|welche\w*|wer|wann|wo|wie|ist|sind)\b/i;
const COURTESY =
  /^(hi|hello|hey|thanks|thank you|ok|okay|yes|no|hallo|danke|ja|nein)( (there|very much|a lot))?\W*$/i;

/** Whether a message to the execution agent asks for another command: an answer to a question changes nothing. */
export function asksForChange(message: string): boolean {
  const text = message.trim();
  if (EXPLANATION.test(text) || COURTESY.test(text)) return false;
  return REQUEST.test(text) || !QUESTION.test(text);
}
