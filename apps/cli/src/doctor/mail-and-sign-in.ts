import type { Config } from '@querypost/server/configuration'
import { type Check, failed, ok, skipped } from '../checks.ts'
import type { Examination } from './examination.ts'

/** Connects and signs in to the mail server, without sending an e-mail. */
export const mail: Examination = {
  name: 'mail',
  async run({ config }) {
    if (!config.smtp) return [skipped('mail', 'E-mail isn’t set up. Set SMTP_URL and SMTP_FROM to enable it.')]
    const { tryMail } = await import('@querypost/server/connections')
    return [judgeMail(config.smtp, await messageOfFailure(() => tryMail(config.smtp!)))]
  },
}

/** Reads the provider's metadata, as a sign-in does. */
export const oidc: Examination = {
  name: 'sign-in',
  async run({ config, clock, fetch }) {
    if (!config.oidc) return [skipped('sign-in', 'Password only. Set the OIDC_* variables to enable single sign-on.')]
    const { makeOidcProvider } = await import('@querypost/server/connections')
    const provider = makeOidcProvider({ settings: config.oidc, clock, fetch })
    const request = {
      redirectUri: `${config.baseUrl}/`,
      state: 'doctor',
      nonce: 'doctor',
      codeVerifier: 'd'.repeat(43),
    }
    return [judgeProvider(config.oidc, await messageOfFailure(() => provider.authorizationUrl(request)))]
  },
}

export function judgeMail({ url }: { url: string }, failure: string | undefined): Check {
  const { host } = new URL(url)
  if (failure === undefined) return ok('mail', `${host} accepts e-mail. None was sent.`)
  return failed(
    'mail',
    `${host} does not accept e-mail: ${failure}`,
    'Check the host, port, user and password in SMTP_URL.',
  )
}

export function judgeProvider(
  { issuer }: Pick<NonNullable<Config['oidc']>, 'issuer'>,
  failure: string | undefined,
): Check {
  if (failure === undefined) return ok('sign-in', `${issuer} is reachable and valid.`)
  return failed(
    'sign-in',
    `${issuer} can’t be used: ${failure}`,
    'Check OIDC_ISSUER, and whether the provider is up.',
  )
}

async function messageOfFailure(attempt: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
