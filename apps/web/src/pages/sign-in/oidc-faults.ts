/**
 * Why a sign-in at the OIDC provider did not work. The service names the reason in the address; the words stand here, so
 * that nobody can put words of their own on the sign-in page by a link.
 */
const words: Record<string, string> = {
  not_invited: 'There is no account with your e-mail address here. Ask an admin of your organization to invite you.',
  email_not_verified: 'The provider has not verified your e-mail address. Verify it there, then try again.',
  address_taken:
    'Your e-mail address belongs to an account that somebody else signs in to. Ask an admin of your organization.',
  refused: 'The sign-in was cancelled at the provider.',
  expired: 'That took too long, or began in another browser. Try again.',
  failed:
    'The sign-in could not be completed at the provider. Try again; if it keeps failing, tell whoever operates this service.',
}

export function oidcFaultIn(search: string): string | undefined {
  const fault = new URLSearchParams(search).get('fault')
  return fault !== null && Object.hasOwn(words, fault) ? words[fault] : undefined
}
