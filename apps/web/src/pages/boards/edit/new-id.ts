/** An id for a new tile or tab. `crypto.randomUUID` is missing on pages without HTTPS. */
export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')
