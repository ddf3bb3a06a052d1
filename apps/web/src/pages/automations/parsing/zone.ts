import type { Remarks } from './remarks.ts'
import type { Sentence } from './sentence.ts'

const areas = 'Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc'
const named = new RegExp(String.raw`(?<![\p{L}/])(?:in\s+)?((?:${areas})\/[\w+/-]+)`, 'u')
const universal = /(?<![\p{L}])(?:in\s+)?(UTC|GMT)(?![\p{L}+-])/u
const ofPlace = /(?<![\p{L}])(?:in\s+)?(\p{Lu}[\p{L}.’'-]*(?:\s\p{Lu}[\p{L}.’'-]*){0,2})\s+time(?![\p{L}])/u
const inPlace = /(?<![\p{L}])in\s+(\p{Lu}[\p{L}.’'-]*(?:\s\p{Lu}[\p{L}.’'-]*){0,2})/u
const abbreviation = /(?<![\p{L}])(\p{Lu}{2,4}T)(?![\p{L}])/u

/** The time zone, given by its name or by a city (“Berlin time”, or “in Berlin” right after a time). */
export function readZone(sentence: Sentence, timeZones: string[], remarks: Remarks): string | undefined {
  const name = sentence.find(named)
  if (name) {
    sentence.cut(name)
    const zone = timeZones.find((known) => known.toLowerCase() === name.groups[0]!.toLowerCase())
    if (zone === undefined) remarks.notUnderstood.push(`Unknown time zone “${name.groups[0]}”.`)
    return zone
  }
  const utc = sentence.find(universal)
  if (utc && sentence.isBesideCut(utc)) {
    sentence.cut(utc)
    return 'UTC'
  }
  for (const pattern of [ofPlace, inPlace]) {
    const place = sentence.find(pattern)
    if (!place || (pattern === inPlace && !sentence.isBesideCut(place))) continue
    const zones = zonesOf(place.groups[0]!, timeZones)
    if (zones.length === 1) {
      sentence.cut(place)
      return zones[0]
    }
    // “In Bavaria” is probably part of the instructions.
    if (pattern === inPlace) continue
    sentence.keep(place)
    remarks.notUnderstood.push(`Unknown time zone “${place.text}”. Name a city, such as Europe/Berlin.`)
  }
  const short = sentence.find(abbreviation)
  if (short && sentence.isBesideCut(short)) {
    sentence.cut(short)
    remarks.notUnderstood.push(`“${short.text}” can mean several time zones. Name a city, such as America/New_York.`)
  }
  return undefined
}

function zonesOf(place: string, timeZones: string[]): string[] {
  const city = place.toLowerCase().replaceAll(/\s+/g, '_')
  return timeZones.filter((zone) => zone.toLowerCase().split('/').at(-1) === city)
}
