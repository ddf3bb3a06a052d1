/** What the scripted model answers to one request. */
export type ScriptedAnswer = { text?: string; toolCalls?: ScriptedCall[]; finishReason?: string; reportsUsage?: boolean} 
  /** Says this much and is gone, in the middle of its answer. */
  |

{ cutAfter: string} 
  /** Says this much and ends the answer as if that were all. */
  |

{ endsAfter: string}  |
{ status: number; headers?: Record<string, string>; body?: unknown}  |
{ raw: string; contentType: string} 
  /** Never answers. */
  |

  'hang'
export interface ScriptedCall {
  name: string
  /** A text is sent as it is, whether it is JSON or not. */
  input: object | string
}
