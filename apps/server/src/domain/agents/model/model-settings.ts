import type { Clock } from '../../../ports/clock.ts'
import {
  findModelSettings,
  lockModelSettings,
  removeModelSettings,
  type StoredModelSettings,
  writeModelSettings,
} from '../../../store/agents/model-settings-table.ts'
import type { Db } from '../../../store/db.ts'
import type { Random } from '../../../ports/random.ts'
import { changesOf, redactUrl } from '../../audit/changes.ts'
import { recordAction, recordChange } from '../../audit/record-action.ts'
import { requireAdmin } from '../../access/require-admin.ts'
import type { Caller } from '../../../model/caller.ts'
import { Refusal } from '../../refusal.ts'
import type { Sealer } from '../../sealing.ts'
import { checkModelName } from '../../model-budgets/check-model-name.ts'
import { checkApiKey, checkBaseUrl } from './check-settings.ts'
import type { ModelAccess, ModelProvider, ModelSettings } from '../../../model/model-settings.ts'

export interface GivenModelSettings {
  provider: ModelProvider
  /** Required for `openai_compatible`; Anthropic has a default address. */
  baseUrl?: string
  model: string
  /** Omitted: the stored key is kept if provider and origin stay the same. Null: no key. */
  apiKey?: string | null
}

export interface ModelSettingsDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
}

export async function getModelSettings(
  deps: Pick<ModelSettingsDeps, 'db'>,
  caller: Caller,
): Promise<ModelSettings | null> {
  const stored = await findModelSettings(deps.db, caller.organizationId)
  return stored ? present(stored) : null
}

export async function putModelSettings(
  deps: ModelSettingsDeps,
  caller: Caller,
  given: GivenModelSettings,
): Promise<ModelSettings> {
  requireAdmin(caller)
  const { organizationId } = caller
  const checked = check(given)
  const sealKey = (key: string | null) =>
    key === null ? null : deps.sealer.seal(key, sealingContext(organizationId, checked))
  return deps.db.transaction().execute(async (tx) => {
    const before = await lockModelSettings(tx, organizationId)
    const stored: StoredModelSettings = {
      provider: checked.provider,
      baseUrl: checked.baseUrl,
      model: checked.model,
      apiKey: checked.apiKey === undefined ? keptKey(before, checked) : sealKey(checked.apiKey),
      updatedAt: deps.clock.now(),
    }
    await writeModelSettings(tx, { ...stored, organizationId, updatedBy: caller.userId })
    const changes = recordedChanges(before, stored, { isKeyGiven: typeof checked.apiKey === 'string' })
    const subject = subjectOf(stored)
    await recordChange({ ...deps, tx }, caller, { action: 'model_settings.changed', subject, details: { changes } })
    return present(stored)
  })
}

export async function deleteModelSettings(
  deps: Pick<ModelSettingsDeps, 'db' | 'clock' | 'random'>,
  caller: Caller,
): Promise<void> {
  requireAdmin(caller)
  await deps.db.transaction().execute(async (tx) => {
    const before = await lockModelSettings(tx, caller.organizationId)
    if (!before) return
    await removeModelSettings(tx, caller.organizationId)
    await recordAction({ ...deps, tx }, caller, { action: 'model_settings.deleted', subject: subjectOf(before) })
  })
}

const subjectOf = ({ model }: StoredModelSettings) => ({ type: 'model_settings', id: null, name: model }) as const

const auditFields = ({ provider, baseUrl, model, apiKey }: StoredModelSettings) => ({
  provider,
  baseUrl: redactUrl(baseUrl),
  model,
  apiKey: apiKey === null ? 'none' : 'one',
})

/** Records only whether there is a key and whether it changed, never the key itself. */
function recordedChanges(
  before: StoredModelSettings | undefined,
  after: StoredModelSettings,
  { isKeyGiven }: { isKeyGiven: boolean },
) {
  const changes = changesOf(before ? auditFields(before) : {}, auditFields(after))
  return { ...changes, ...(isKeyGiven && before?.apiKey && { apiKey: { before: 'one', after: 'another one' } }) }
}

/** For calling the model. Throws when no model is set up or its key cannot be decrypted. */
export async function getModelAccess(
  deps: Pick<ModelSettingsDeps, 'db' | 'sealer'>,
  organizationId: string,
): Promise<ModelAccess> {
  const stored = await findModelSettings(deps.db, organizationId)
  if (!stored) {
    throw new Refusal(
      'model_not_configured',
      'No model is set up for your organization. An admin can set one up in the organization’s settings.',
    )
  }
  return { ...stored, apiKey: openKey(deps.sealer, organizationId, stored) }
}

/** The same for settings that are not saved yet. If the key is omitted, the stored one is used, under the same rule. */
export async function accessToTry(
  deps: Pick<ModelSettingsDeps, 'db' | 'sealer'>,
  caller: Caller,
  given: GivenModelSettings,
): Promise<ModelAccess> {
  const checked = check(given)
  if (checked.apiKey !== undefined) return { ...checked, apiKey: checked.apiKey }
  const stored = await findModelSettings(deps.db, caller.organizationId)
  const apiKey = keptKey(stored, checked)
  return { ...checked, apiKey: openKey(deps.sealer, caller.organizationId, { ...checked, apiKey }) }
}

function check(given: GivenModelSettings) {
  return {
    provider: given.provider,
    baseUrl: checkBaseUrl(given.provider, given.baseUrl),
    model: checkModelName(given.model),
    apiKey: typeof given.apiKey === 'string' ? checkApiKey(given.apiKey) : given.apiKey,
  }
}

type Place = Pick<ModelAccess, 'provider' | 'baseUrl'>

function keptKey(before: StoredModelSettings | undefined, now: Place): Uint8Array | null {
  const isSamePlace = before?.provider === now.provider && originOf(before.baseUrl) === originOf(now.baseUrl)
  return isSamePlace ? before.apiKey : null
}

function openKey(sealer: Sealer, organizationId: string, stored: Place & { apiKey: Uint8Array | null }): string | null {
  if (stored.apiKey === null) return null
  try {
    return sealer.open(stored.apiKey, sealingContext(organizationId, stored))
  } catch {
    throw new Refusal(
      'model_not_configured',
      'The key of your organization’s model cannot be decrypted: SECRET_KEY has changed since it was saved. ' +
        'An admin can enter the key again in the organization’s settings, or the operator can restore SECRET_KEY.',
    )
  }
}

const sealingContext = (organizationId: string, place: Place) =>
  `model key of ${organizationId} for ${place.provider} at ${originOf(place.baseUrl)}`

const originOf = (url: string) => new URL(url).origin

function present({ apiKey, ...settings }: StoredModelSettings): ModelSettings {
  return { ...settings, hasApiKey: apiKey !== null }
}
