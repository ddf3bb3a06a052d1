/**
 * Workload identity: a program elsewhere vouches for the service. Its *subject token* is exchanged for a token of Google, which in turn gets a
 * token of the service account. The configuration is what `gcloud iam workload-identity-pools create-cred-config` writes.
 */
import type { ServerSettings } from '../../model/server-settings.ts'
import { wrongKey } from './wrong-key.ts'

export interface ExternalAccount {
  kind: 'external_account'
  audience: string
  subjectTokenType: string
  source: SubjectTokenSource
  exchangeUrl: URL
  impersonationUrl: URL
}

export interface SubjectTokenSource {
  url: URL
  headers: Record<string, string>
  /** The field of a JSON response that has the token; null if the response is the token. */
  field: string | null
}

const googleExchange = 'https://sts.googleapis.com'
const googleImpersonation = 'https://iamcredentials.googleapis.com'
const exchangePath = '/v1/token'

export function readExternalAccount(config: Record<string, unknown>, settings: ServerSettings): ExternalAccount {
  const { audience, subject_token_type: subjectTokenType } = config
  if (typeof audience !== 'string' || typeof subjectTokenType !== 'string') {
    throw wrongKey('The configuration must have audience and subject_token_type.')
  }
  const impersonationPath = `/v1/projects/-/serviceAccounts/${settings.user}:generateAccessToken`
  return {
    kind: 'external_account',
    audience,
    subjectTokenType,
    source: readSource(config['credential_source']),
    exchangeUrl: allowedUrl(config, 'token_url', [googleExchange, originOf(settings)], exchangePath),
    impersonationUrl: allowedUrl(config, 'service_account_impersonation_url', [googleImpersonation, originOf(settings)], impersonationPath),
  }
}

/** A private endpoint may issue the tokens, too. */
const originOf = ({ tls, host, port }: ServerSettings) => `${tls === 'off' ? 'http' : 'https'}://${host}:${port}`

/** A token must not go to a server that only the configuration names. */
function allowedUrl(config: Record<string, unknown>, name: string, origins: string[], path: string): URL {
  const allowed = origins.map((origin) => `${origin}${path}`)
  const given = config[name]
  if (typeof given === 'string' && allowed.includes(given)) return new URL(given)
  throw wrongKey(`The ${name} must be ${allowed[0]}.`)
}

function readSource(source: unknown): SubjectTokenSource {
  const { url, headers = {}, format = { type: 'text' } } = objectIn(source)
  if (typeof url !== 'string' || !isHttpUrl(url)) {
    throw wrongKey(
      'The credential_source must have a url. Files and programs are not read: the service would lend its own identity to everyone who can add a database.',
    )
  }
  const texts = Object.entries(objectIn(headers))
  if (!texts.every((each): each is [string, string] => typeof each[1] === 'string')) throw wrongKey('The headers of the credential_source must be texts.')
  return { url: new URL(url), headers: Object.fromEntries(texts), field: fieldIn(objectIn(format)) }
}

function fieldIn({ type, subject_token_field_name: field }: Record<string, unknown>): string | null {
  if (type === 'text') return null
  if (type === 'json' && typeof field === 'string') return field
  throw wrongKey('The format of the credential_source must be text, or json with subject_token_field_name.')
}

const objectIn = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {})

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
