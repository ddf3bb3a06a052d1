/**
 * Limits of one run of the model agent. A run that reaches a limit fails and says which one; its time is limited by the worker
 * (AGENT_TIMEOUT_SECONDS). The limits are documented in `docs/model.md`.
 */
export const bounds = {
  /** How many steps the model may take. A step that is repeated because its answer was cut off counts once. */
  steps: 30,
  /** The model is asked to finish when it has this many steps left. */
  stepsToWarnAt: 3,
  /** Input and output together, over all steps. Earlier messages are sent again with each step and count again. */
  totalTokens: 500_000,
  outputTokensPerStep: 8192,
  toolCalls: 100,
  toolErrorsInARow: 5,
  /** The third call with the same input is not made. */
  sameCalls: 3,
  /** Rows of a query's result that the model is shown. */
  rows: 100,
  /** Figures are computed from results of at most this size. */
  figureRows: 100_000,
  figureCharacters: 32 * 1024 * 1024,
  /** Limit for any tool answer. */
  toolResultCharacters: 16 * 1024,
  cellCharacters: 500,
  /** If a request would be longer, older tool results are left out. */
  historyCharacters: 240_000,
  /** Limit for the conversation before the question. */
  conversationCharacters: 60_000,
  /** Limit for the part of the organization's knowledge that is sent with a question. */
  knowledgeCharacters: 24_000,
  /** How many metrics, verified queries and tables are considered for it, each. */
  knowledgeCandidates: 12,
  /** Limit for the provider's response to one request. */
  responseBytes: 16 * 1024 * 1024,
  /** Limit for the model's text in one step; exceeding it means that the server ignores the token limit. */
  textCharacters: 100_000,
} as const

/** Retry limits for requests to a provider. */
export const retryLimits = {
  /** Tries per step, after temporary rejections (429, 503, 529), server errors and connection failures. */
  tries: 4,
  /** How often a step is repeated when its answer is cut off. */
  retriesAfterCut: 2,
  firstWaitMs: 1_000,
  /** Also applies when the provider asks for a longer wait. */
  waitMaxMs: 60_000,
  /** Longer waits are noted in the chat. */
  waitToNoteMs: 10_000,
} as const

/** For servers that do not report their usage. */
export const charactersPerToken = 4
