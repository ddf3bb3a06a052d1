export { type Mail, MailError, tryMail } from '../src/ports/mail.ts'
export { makeOidcProvider } from '../src/ports/oidc.ts'
