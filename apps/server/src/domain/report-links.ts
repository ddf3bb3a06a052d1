import { makeTextSigner } from './pagination/signed-text.ts'
import { Refusal } from './refusal.ts'

/**
 * Links in e-mails to people without an account. The token says what it is for, signed, so that nothing has to be stored: to confirm an
 * outside address once, to unsubscribe an address from one report, or to download one file of one document.
 */
export type ReportLink =
  | { kind: 'confirm'; organizationId: string; email: string }
  | { kind: 'unsubscribe'; organizationId: string; reportId: string; email: string }
  | { kind: 'download'; organizationId: string; contentId: string; position: number }

export interface ReportLinks {
  tokenOf(link: ReportLink): string
  /** Throws `link_not_valid`. */
  read(token: string): ReportLink
  /** A page. The token is in the fragment, which reaches no log. */
  confirmUrl(link: Omit<Extract<ReportLink, { kind: 'confirm' }>, 'kind'>): string
  /** For people as a page, and for mail programs as the target of a POST (RFC 8058). */
  unsubscribeUrl(link: Omit<Extract<ReportLink, { kind: 'unsubscribe' }>, 'kind'>): string
  /** A page that says what the file is. The token is in the fragment, which reaches no log. */
  downloadUrl(link: Omit<Extract<ReportLink, { kind: 'download' }>, 'kind'>): string
}

export const unsubscribePath = '/reports/unsubscribe'

export function makeReportLinks(options: { secretKey: Uint8Array; baseUrl: string }): ReportLinks {
  const signer = makeTextSigner({ secretKey: options.secretKey, purpose: 'querypost report link v1' })
  const tokenOf = (link: ReportLink) => signer.encode(link)
  return {
    tokenOf,
    read(token) {
      const link = signer.decode(token) as ReportLink | undefined
      if (link) return link
      throw new Refusal('link_not_valid', 'This link is incomplete. Open it again from the e-mail.')
    },
    confirmUrl: ({ organizationId, email }) =>
      `${options.baseUrl}/reports/confirm#${tokenOf({ kind: 'confirm', organizationId, email })}`,
    unsubscribeUrl: ({ organizationId, reportId, email }) =>
      `${options.baseUrl}${unsubscribePath}/${tokenOf({ kind: 'unsubscribe', organizationId, reportId, email })}`,
    downloadUrl: ({ organizationId, contentId, position }) =>
      `${options.baseUrl}/reports/download#${tokenOf({ kind: 'download', organizationId, contentId, position })}`,
  }
}
