/** A secret as the user gave it. The text itself is never shown. */
export interface GivenSecret {
  /** `the secret`, or `secret 2 of 3`. */
  label: string
  /** The secret for the library: the text itself, or what was probably meant. Undefined if that is unclear. */
  usable: string | undefined
  /** Why the library rejects the text. */
  fault?: string
  keyBytes: number
}

const prefix = 'whsec_'
/** The size of Querypost's secrets. The libraries accept 24 to 64 bytes, but other sizes are not from Querypost. */
export const secretBytes = 32

/** Splits secrets that are separated by spaces, commas or line breaks. */
export function splitSecrets(text: string): string[] {
  return text.split(/[\s,]+/).filter((one) => one !== '')
}

export function examineSecrets(texts: string[]): GivenSecret[] {
  return texts.map((text, index) =>
    examine(text, texts.length === 1 ? 'the secret' : `secret ${index + 1} of ${texts.length}`),
  )
}

function examine(text: string, label: string): GivenSecret {
  const faults: string[] = []
  let meant = text
  const repair = (fault: string, repaired: string) => {
    if (repaired === meant) return
    faults.push(fault)
    meant = repaired
  }
  repair('has quotes around it', meant.replace(/^(["'`])(.*)\1$/, '$2'))
  repair('starts with the name of its variable', meant.replace(/^\w+=(?=whsec_)/, ''))
  repair(
    'uses the URL-safe base64 alphabet',
    meant.slice(0, 6) + meant.slice(6).replaceAll('-', '+').replaceAll('_', '/'),
  )
  if (!meant.startsWith(prefix)) repair(`does not start with ${prefix}`, prefix + meant)
  const unpadded = meant.slice(prefix.length).replace(/=+$/, '')
  repair('does not end with the right number of =', prefix + unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, '='))
  const keyBytes = Buffer.from(unpadded, 'base64').length
  const isText = /^[A-Za-z0-9+/]+={0,2}$/.test(meant.slice(prefix.length))
  const isCanonical = Buffer.from(unpadded, 'base64').toString('base64').replace(/=+$/, '') === unpadded
  if (!isText) faults.push('contains characters that no secret has')
  else if (!isCanonical || keyBytes < 24 || keyBytes > 64) faults.push(`is incomplete: ${describeSize(keyBytes)}`)
  const isUsable = isText && isCanonical && keyBytes >= 24 && keyBytes <= 64
  const fault = faults.join(', and ')
  return { label, usable: isUsable ? meant : undefined, ...(fault && { fault }), keyBytes }
}

/** Compares the length of a secret with that of Querypost's secrets. */
export function describeSize(keyBytes: number): string {
  const expected = `Querypost’s secrets have ${secretBytes} bytes (${prefix} and 44 characters), this one has ${keyBytes}`
  return keyBytes < secretBytes ? `${expected}: its end is missing` : expected
}
