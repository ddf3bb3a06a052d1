/**
 * What one run of the model agent may use. A run that reaches a bound ends as failed and says which; its time is
 * bounded by the worker (AGENT_TIMEOUT_SECONDS). `docs/model.md` tells people of them.
 */
export const bounds = {
  /** How often the model is asked, a step that was asked again because it broke off counted once. */
  steps: 30,
  /** The model is told to come to an end when it has this many steps left. */
  stepsToWarnAt: 3,
  /** In and out together, over all steps. What came before is sent anew with each step and counts anew. */
  totalTokens: 500_000,
  outputTokensPerStep: 8192,
  toolCalls: 100,
  toolErrorsInARow: 5,
  /** The call that would be the third with the same input is not made. */
  sameCalls: 3,
  /** Of a query's result, what the model is shown. */
  rows: 100,
  /** Of anything that a tool answers. */
  toolResultCharacters: 16 * 1024,
  cellCharacters: 500,
  /** Older tool results are left out of a request that would be longer. */
  historyCharacters: 240_000,
  /** Of the conversation in a chat before the question. */
  conversationCharacters: 60_000,
  /** An answer of the provider to one request. */
  responseBytes: 16 * 1024 * 1024,
  /** What the model writes in one step; more than its tokens allow means that the server does not keep to them. */
  textCharacters: 100_000,
} as const

/** How patiently a provider is asked. */
export const patience = {
  /** For one step: refusals for the moment (429, 503, 529), faults of the server, and no connection. */
  tries: 4,
  /** A step whose answer broke off in its middle is asked again this often. */
  timesAgainAfterCut: 2,
  firstWaitMs: 1_000,
  /** Also where the provider asks for more. */
  waitMaxMs: 60_000,
  /** A longer wait is told in the chat. */
  waitToTellMs: 10_000,
} as const

/** For servers that do not report what they used. */
export const charactersPerToken = 4
