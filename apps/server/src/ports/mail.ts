/** E-mail, as set up by the operator. */
export interface Mail {
  /** Throws `MailError` if the server did not accept it, or if the signal aborted before that was known. */
  send(email: Email, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface Email {
  /** The same in every attempt to send the same e-mail: mail programs recognize duplicates by it. */
  id: string
  to: string
  subject: string
  text: string
  /** Shown instead of the text by programs that can. */
  html?: string
  files?: readonly EmailFile[]
  /** In addition to those of every e-mail. */
  headers?: Readonly<Record<string, string>>
}

/** An attachment, or with a `contentId` an image that the HTML shows as `cid:…`. */
export interface EmailFile {
  fileName: string
  contentType: string
  bytes: Uint8Array
  contentId?: string
}

/**
 * `isFinal`: the server will never accept it, however often it is tried. `isRecipient`: because it does not accept mail for the
 * recipient.
 */
export class MailError extends Error {
  override readonly name = 'MailError'
  readonly isFinal: boolean
  readonly isRecipient: boolean

  constructor(message: string, isFinal: boolean, isRecipient = false) {
    super(message)
    this.isFinal = isFinal
    this.isRecipient = isRecipient
  }
}
