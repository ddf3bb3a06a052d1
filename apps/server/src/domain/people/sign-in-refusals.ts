import { Refusal } from '../refusal.ts'

export const ssoRequired = ({ name }: { name: string }) =>
  new Refusal('sso_required', `The organization requires single sign-on. Sign in with ${name} instead of a password.`)

export const secondFactorRequired = () =>
  new Refusal('second_factor_required', 'The organization requires a second factor. Set one up in your account settings first.')
