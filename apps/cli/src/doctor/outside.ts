import type { Config } from '@querypost/server/configuration'
import { type Check, failed, ok, skipped } from '../check.ts'
import type { Examination } from './examine.ts'

/** The mail server is greeted and signed in to; no letter is sent. */
export const mail: Examination = {
  name: 'mail',
  async look({ config }) {
    if (!config.smtp) return [skipped('mail', 'None is set up: no e-mails. Set SMTP_URL and SMTP_FROM for them.')]
    const { tryMail } = await import('@querypost/server/connections')
    return [judgeMail(config.smtp, await failureOf(() => tryMail(config.smtp!)))]
  },
}

/** The provider's description is read, as before somebody signs in. */
export const oidc: Examination = {
  name: 'sign-in',
  async look({ config, clock, fetch }) {
    if (!config.oidc) return [skipped('sign-in', 'By password. OIDC_ISSUER and its fellows would add a provider.')]
    const { makeOidcProvider } = await import('@querypost/server/connections')
    const provider = makeOidcProvider({ settings: config.oidc, clock, fetch })
    const request = {
      redirectUri: `${config.baseUrl}/`,
      state: 'doctor',
      nonce: 'doctor',
      codeVerifier: 'd'.repeat(43),
    }
    return [judgeProvider(config.oidc, await failureOf(() => provider.authorizationUrl(request)))]
  },
}

export function judgeMail({ url }: { url: string }, failure: string | undefined): Check {
  const { host } = new URL(url)
  if (failure === undefined) return ok('mail', `${host} takes letters; none was sent.`)
  return failed(
    'mail',
    `${host} does not take letters: ${failure}`,
    'Correct SMTP_URL: its host, port, user or password.',
  )
}

export function judgeProvider(
  { issuer }: Pick<NonNullable<Config['oidc']>, 'issuer'>,
  failure: string | undefined,
): Check {
  if (failure === undefined) return ok('sign-in', `${issuer} describes itself as it must.`)
  return failed(
    'sign-in',
    `${issuer} cannot be used: ${failure}`,
    'Correct OIDC_ISSUER, or look whether the provider is up.',
  )
}

async function failureOf(attempt: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
