/** What the modes of a connection string mean for the form. */
export const sslModes = {
  disable: 'off',
  allow: 'encrypted',
  prefer: 'encrypted',
  require: 'encrypted',
  'verify-ca': 'verified',
  'verify-full': 'verified',
} as const
