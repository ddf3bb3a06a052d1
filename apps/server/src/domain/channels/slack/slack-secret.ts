/** The secrets of a Slack bot: its token, and the signing secret that proves that a request is from Slack. */
export interface SlackSecret {
  token: string
  /** Null if people cannot ask questions in Slack. */
  signingSecret: string | null
}

export const writeSlackSecret = (secret: SlackSecret): string => JSON.stringify(secret)

export const readSlackSecret = (text: string): SlackSecret => JSON.parse(text) as SlackSecret
