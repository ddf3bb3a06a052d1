/** The scripted model's answer to one request. */
export type ScriptedAnswer = { text?: string; toolCalls?: ScriptedCall[]; finishReason?: string; reportsUsage?: boolean} 
  /** Sends this much and breaks the connection in the middle of its answer. */
  |

{ cutAfter: string} 
  /** Sends this much and ends the response as if it were complete. */
  |

{ endsAfter: string}  |
{ status: number; headers?: Record<string, string>; body?: unknown}  |
{ raw: string; contentType: string} 
  /** Never answers. */
  |

  'hang'
export interface ScriptedCall {
  name: string
  /** A string is sent verbatim, whether it is JSON or not. */
  input: object | string
}
