export type Role = 'admin' | 'member'
/** What the link in an e-mail is for. */
export type LinkPurpose = 'welcome' | 'password_reset'

export interface Organization {
  id: string
  name: string
  /** The feature switch for webhooks: off, no event is published and nothing about endpoints can be seen or done. */
  webhooksEnabled: boolean
}
