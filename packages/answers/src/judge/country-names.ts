import type { LabelColumn } from '../result-view.ts'
import { fold } from '../words/fold.ts'

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']
const otherNames: Record<string, string[]> = { US: ['USA', 'U.S.', 'United States of America'], GB: ['UK', 'U.K.', 'Great Britain', 'Britain'], AE: ['UAE'] }

interface Countries {
  namesByCode: Map<string, string[]>
  codeByName: Map<string, string>
}
let countries: Countries | undefined

/** Built on first use, from the names that the runtime knows. */
function loadCountries(): Countries {
  if (countries) return countries
  const namesByCode = new Map<string, string[]>()
  const codeByName = new Map<string, string>()
  const displays = languages.map((language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }))
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const names = displays.map((display) => display.of(code)).filter((name) => name !== undefined)
    // Codes that are not assigned to a country have no names, or are private.
    if (names.length === 0 || /^(X|Z|EU|EZ|UN|QO)/.test(code)) continue
    const all = [...new Set([...names, ...(otherNames[code] ?? [])])]
    namesByCode.set(code, all)
    for (const name of [...all, code]) codeByName.set(fold(name), codeByName.get(fold(name)) ?? code)
  }
  countries = { namesByCode, codeByName }
  return countries
}

const namesCountries = /(^|[^a-z])(country|countries|nation|land|pays|pais|país|paese|market)([^a-z]|$)/i

/** Whether a column holds countries: by its name, or because all its labels are two-letter codes. */
export function isCountryColumn({ column, type, labels }: LabelColumn): boolean {
  if (type !== 'string' || labels.size === 0) return false
  if (namesCountries.test(column.name)) return true
  return labels.size <= 250 && [...labels.keys()].every((key) => /^[A-Z]{2}$/.test(key))
}

/** Other names of a country that is given by a code or a name, in the languages that are judged. */
export function countryNamesOf(label: string): string[] {
  const { namesByCode, codeByName } = loadCountries()
  const code = namesByCode.has(label) ? label : codeByName.get(fold(label))
  return code === undefined ? [] : [...namesByCode.get(code)!, code].filter((name) => name !== label)
}
