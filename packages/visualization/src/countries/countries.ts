import { countriesOnMap, smallCountries } from './country-codes.ts'

export interface Country {
  /** ISO 3166-1 alpha-2; also the name of its shape. */
  code: string
  numericCode: string
  name: string
  isOnMap: boolean
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })

function readCodes(codes: string, isOnMap: boolean): (Country & { alpha3: string })[] {
  return codes.split(' ').map((each) => {
    const code = each.slice(0, 2)
    return { code, alpha3: each.slice(2, 5), numericCode: each.slice(5), name: regionNames.of(code) ?? code, isOnMap }
  })
}

/** Names in common use that differ from those of the Unicode consortium. */
const otherNames: Record<string, string[]> = {
  US: ['United States of America', 'USA', 'U.S.', 'America'],
  GB: ['UK', 'Great Britain', 'England', 'Britain'],
  CD: ['Democratic Republic of the Congo', 'DR Congo', 'Dem. Rep. Congo', 'Congo, Democratic Republic of the'],
  CG: ['Republic of the Congo', 'Congo'],
  CI: ['Ivory Coast'],
  CZ: ['Czech Republic'],
  KR: ['South Korea', 'Korea, Republic of', 'Republic of Korea', 'Korea'],
  KP: ['North Korea', "Korea, Democratic People's Republic of"],
  RU: ['Russian Federation'],
  TR: ['Turkey', 'Turkiye'],
  MM: ['Myanmar', 'Burma'],
  MK: ['Macedonia'],
  PS: ['Palestine', 'State of Palestine'],
  SZ: ['Swaziland'],
  SY: ['Syrian Arab Republic'],
  VN: ['Viet Nam'],
  LA: ["Lao People's Democratic Republic"],
  IR: ['Iran, Islamic Republic of', 'Islamic Republic of Iran'],
  BO: ['Bolivia, Plurinational State of'],
  VE: ['Venezuela, Bolivarian Republic of'],
  TZ: ['United Republic of Tanzania', 'Tanzania, United Republic of'],
  MD: ['Republic of Moldova', 'Moldova, Republic of'],
  BN: ['Brunei Darussalam'],
  CV: ['Cabo Verde'],
  TL: ['East Timor'],
  NL: ['The Netherlands', 'Holland'],
  AE: ['UAE'],
  TW: ['Taiwan, Province of China'],
  HK: ['Hong Kong'],
  MO: ['Macau', 'Macao'],
  VA: ['Holy See'],
}

const countries = new Map<string, Country>()
for (const { alpha3, ...country } of [...readCodes(countriesOnMap, true), ...readCodes(smallCountries, false)]) {
  for (const name of [country.code, alpha3, country.name, ...(otherNames[country.code] ?? [])]) countries.set(simplified(name), country)
}

/** By its English name, alpha-2 or alpha-3 code. Case, accents and punctuation do not matter. */
export function findCountry(text: string): Country | undefined {
  return countries.get(simplified(text))
}

function simplified(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .replaceAll(/\bSt\b/g, 'Saint')
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim()
    .toLowerCase()
}

export const codeOfNumber = new Map(
  [countriesOnMap, smallCountries].flatMap((codes) => readCodes(codes, true).map(({ numericCode, code }) => [numericCode, code] as const)),
)
