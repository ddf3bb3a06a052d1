/** The pass of a link with a password, kept until the browser tab is closed. */
const keyOf = (token: string) => `querypost-pass-${token}`

export function readPass(token: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(token)) ?? undefined
  } catch {
    return undefined
  }
}

export function keepPass(token: string, pass: string): void {
  try {
    sessionStorage.setItem(keyOf(token), pass)
  } catch {
    // Without storage, the viewer enters the password again after a reload.
  }
}
