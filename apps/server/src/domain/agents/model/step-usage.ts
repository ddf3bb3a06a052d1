export interface StepUsage {
  inputTokens: number
  outputTokens: number
}
