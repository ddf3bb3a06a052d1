import type { JWTPayload } from 'jose'
import type { ParameterDefinition, ParameterValues, SingleValue } from '../../model/parameter.ts'
import { embedAudience, embedLimits } from '../../model/sharing/embedding.ts'
import { type Viewer, type ViewerDownload, viewerDownloads } from '../../model/sharing/public-link.ts'
import type { Clock } from '../../ports/clock.ts'
import { findEmbedSecret, type ValidEmbedSecret } from '../../store/sharing/embed-secrets-table.ts'
import { isId } from '../ids.ts'
import { checkValue } from '../parameters/check-value.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import { readSharedItem, type SharedItem, type SharedItemDeps } from './shared-item.ts'

/**
 * Decides whether a token lets its bearer see an embedded query or board.
 *
 * - Only HS256 with the secret that `kid` names is accepted, whatever else the header says.
 * - Everything that is not in the token stays closed: other parameters keep their default, nothing can be downloaded.
 * - A locked name that the item does not have is an error. Ignoring it would show the rows of everyone.
 */
export interface OpenEmbedDeps extends SharedItemDeps {
  clock: Clock
  sealer: Sealer
}

export async function openEmbed(deps: OpenEmbedDeps, { shortId, token }: { shortId: string; token: string | undefined }): Promise<Viewer> {
  if (token === undefined) throw invalid('There is no token. Add it to the address: /embed/<shortId>?token=<token>.')
  const secret = await findSecret(deps, token)
  if (!secret) throw invalid('The token’s "kid" names no valid secret. It may have been revoked.')
  const claims = await verify(deps, secret, token)
  if (secret.origins.length === 0) {
    throw new Refusal('embed_origin_not_allowed', 'The organization has not listed any site that may embed its pages.')
  }
  const kind = claims['resource']
  if (kind !== 'board' && kind !== 'reference') throw invalid('Its "resource" must be "board" or "reference".')
  if (claims['shortId'] !== shortId) throw invalid('Its "shortId" is not that of the address.')
  const key = { organizationId: secret.organizationId, kind, shortId } as const
  const item = await readSharedItem(deps, key).catch((error: unknown) => {
    throw error instanceof Refusal ? invalid(`There is no such ${kind}.`) : error
  })
  const lockedValues = readLockedValues(item, claims['parameters'])
  return {
    ...key,
    id: secret.id,
    lockedValues,
    parameters: readNames(claims['viewerParameters'], 'viewerParameters')
      .filter((name) => !Object.hasOwn(lockedValues, name))
      .map((name) => ({ name: definitionOf(item, name).name, values: null })),
    downloads: readNames(claims['downloads'], 'downloads').map(checkDownload),
    showsSql: false,
    allowsRefresh: true,
    runLimits: embedLimits.runs,
    tokenExpiresAt: new Date(claims.exp * 1000),
  }
}

/** The origins that may frame the page of a token, also if the token is refused: then the frame says why. */
export async function readFrameAncestors(deps: OpenEmbedDeps, token: string | undefined): Promise<string[]> {
  return (token !== undefined && (await findSecret(deps, token))?.origins) || []
}

async function findSecret({ db }: Pick<OpenEmbedDeps, 'db'>, token: string): Promise<ValidEmbedSecret | undefined> {
  if (token.length > embedLimits.tokenCharacters) return undefined
  try {
    const { decodeProtectedHeader } = await import('jose')
    const { kid } = decodeProtectedHeader(token)
    return typeof kid === 'string' && isId(kid) ? await findEmbedSecret(db, kid) : undefined
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

type VerifiedClaims = JWTPayload & { iat: number; exp: number }

async function verify({ sealer, clock }: OpenEmbedDeps, secret: ValidEmbedSecret, token: string): Promise<VerifiedClaims> {
  const now = clock.now()
  const key = Buffer.from(sealer.open(secret.sealedSecret, secret.id))
  const { errors, jwtVerify } = await import('jose')
  let claims: VerifiedClaims
  try {
    const checks = { algorithms: ['HS256'], audience: embedAudience, requiredClaims: ['exp', 'iat'], currentDate: now }
    claims = (await jwtVerify<{ iat: number; exp: number }>(token, key, checks)).payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new Refusal('embed_token_expired', 'The token has expired. Sign a new one.')
    if (error instanceof errors.JOSEError) throw invalid(`It does not verify: ${error.message.replace(/\.$/, '')}.`)
    throw error
  }
  const { iat, exp } = claims
  if (iat * 1000 > now.getTime() + embedLimits.clockSkewMs) throw invalid('Its "iat" is in the future. Check the clock of your server.')
  if ((exp - iat) * 1000 > embedLimits.tokenLifetimeMs) throw invalid('It is valid for more than 24 hours. Choose an earlier "exp".')
  return claims
}

function readLockedValues(item: SharedItem, given: unknown): ParameterValues {
  if (given === undefined) return {}
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalid('Its "parameters" must be an object.')
  const values = Object.entries(given).map(([name, value]) => {
    const definition = definitionOf(item, name)
    try {
      return [name, checkValue(definition, value)] as [string, SingleValue | SingleValue[]]
    } catch (error) {
      throw error instanceof Refusal ? invalid(error.message) : error
    }
  })
  return Object.fromEntries(values)
}

function definitionOf({ parameters }: SharedItem, name: string): ParameterDefinition {
  const definition = parameters.find((each) => each.name === name)
  if (!definition) throw invalid(`It names a parameter that does not exist: ${JSON.stringify(name)}.`)
  return definition
}

function readNames(given: unknown, claim: string): string[] {
  if (given === undefined) return []
  if (Array.isArray(given) && given.every((name) => typeof name === 'string')) return [...new Set(given)]
  throw invalid(`Its "${claim}" must be a list of texts.`)
}

function checkDownload(format: string): ViewerDownload {
  const known = viewerDownloads.find((each) => each === format)
  if (!known) throw invalid(`Its "downloads" may contain ${viewerDownloads.map((each) => `"${each}"`).join(', ')}.`)
  return known
}

const invalid = (why: string) => new Refusal('embed_token_invalid', `The embedding token is not valid. ${why}`)
