/**
 * Why a sign-in with the OIDC provider failed. The URL only carries the reason's name and the messages are here, so a crafted
 * link can't put its own text on the sign-in page.
 */
const messages: Record<string, string> = {
  not_invited: 'No account uses your e-mail address. Ask an admin of your organization to invite you.',
  email_not_verified: 'The provider has not verified your e-mail address. Verify it there, then try again.',
  address_taken:
    'Your e-mail address belongs to an account that is linked to another sign-in. Ask an admin of your organization.',
  refused: 'Sign-in was canceled at the provider.',
  expired: 'Sign-in took too long or started in another browser. Try again.',
  failed:
    'Couldn’t complete sign-in with the provider. Try again. If it keeps failing, contact your administrator.',
}

export function oidcFaultIn(search: string): string | undefined {
  const fault = new URLSearchParams(search).get('fault')
  return fault !== null && Object.hasOwn(messages, fault) ? messages[fault] : undefined
}
