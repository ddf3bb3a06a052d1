/** A secret as somebody gave it. The text itself is never shown. */
export interface GivenSecret {
  /** `the secret`, or `secret 2 of 3`. */
  label: string
  /**
   * What the library takes: the text itself, or what it was probably meant to be; undefined where that is not clear.
   */
  usable: string | undefined
  /** What is wrong with the text, so that the library refuses it. */
  fault?: string
  keyBytes: number
}

const prefix = 'whsec_'
/** As Querypost makes them. Others of 24 to 64 bytes are taken by the libraries, and are none of ours. */
export const secretBytes = 32

/** Secrets stand in one variable or file with spaces, commas or line ends between them. */
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
  const mend = (fault: string, mended: string) => {
    if (mended === meant) return
    faults.push(fault)
    meant = mended
  }
  mend('has quotes around it', meant.replace(/^(["'`])(.*)\1$/, '$2'))
  mend('has the name of its variable in front', meant.replace(/^\w+=(?=whsec_)/, ''))
  mend(
    'is written in base64’s alphabet for addresses',
    meant.slice(0, 6) + meant.slice(6).replaceAll('-', '+').replaceAll('_', '/'),
  )
  if (!meant.startsWith(prefix)) mend(`does not begin with ${prefix}`, prefix + meant)
  const unpadded = meant.slice(prefix.length).replace(/=+$/, '')
  mend('does not end with the right number of =', prefix + unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, '='))
  const keyBytes = Buffer.from(unpadded, 'base64').length
  const isText = /^[A-Za-z0-9+/]+={0,2}$/.test(meant.slice(prefix.length))
  const isWritten = Buffer.from(unpadded, 'base64').toString('base64').replace(/=+$/, '') === unpadded
  if (!isText) faults.push('holds characters that no secret holds')
  else if (!isWritten || keyBytes < 24 || keyBytes > 64) faults.push(`is not whole: ${sizeOf(keyBytes)}`)
  const isUsable = isText && isWritten && keyBytes >= 24 && keyBytes <= 64
  const fault = faults.join(', and ')
  return { label, usable: isUsable ? meant : undefined, ...(fault && { fault }), keyBytes }
}

/** What the length tells of a secret that was not copied whole. */
export function sizeOf(keyBytes: number): string {
  const expected = `Querypost’s secrets hold ${secretBytes} bytes (${prefix} and 44 characters), this one ${keyBytes}`
  return keyBytes < secretBytes ? `${expected}: its end is missing` : expected
}
