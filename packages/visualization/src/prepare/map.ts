import { textProp } from '../chart-element.ts'
import { findColumn } from '../columns.ts'
import { type Country, findCountry } from '../countries/countries.ts'
import { numberOf } from '../fields.ts'
import type { ChartShape } from '../shape.ts'
import { countText, drawnColumn, exactValue, seriesBase, valueText } from './drawn-columns.ts'
import type { ChartInput, PreparedChart } from './prepared-chart.ts'

const maxListed = 5

/** A map of countries colored by a column. Rows of one country are added up. */
export function prepareMap(input: ChartInput, shape: ChartShape): Pick<PreparedChart, 'category' | 'series' | 'notes' | 'problems'> {
  const { fields, rows, locale } = input
  const series = shape.series.find(({ key }) => key !== null)
  const column = drawnColumn(input, series!.key!)!
  const nameKey = textProp(series!.part, 'nameKey')
  const names = nameKey === undefined ? undefined : findColumn(fields, nameKey)
  if (!names) {
    return { category: null, series: [], notes: [], problems: ['A map needs a column with countries. Edit the chart and choose one.'] }
  }
  const found = new Map<string, { country: Country; rows: number[] }>()
  const unknown = new Set<string>()
  for (const [row, values] of rows.entries()) {
    const name = names.valueIn(values)
    const country = typeof name === 'string' ? findCountry(name) : undefined
    if (!country) {
      unknown.add(String(name))
      continue
    }
    const known = found.get(country.code)
    if (known) known.rows.push(row)
    else found.set(country.code, { country, rows: [row] })
  }
  const all = [...found.values()]
  const drawn = all.filter(({ country }) => country.isOnMap)
  const small = all.filter(({ country }) => !country.isOnMap).map(({ country }) => country.name)
  if (drawn.length === 0) {
    const problem = `None of the names in “${nameKey}” is a country on the map. Use English names or ISO codes, such as Germany, DE or DEU.`
    return { category: null, series: [], notes: [], problems: [problem] }
  }
  const count = new Intl.NumberFormat(locale)
  const notes = [
    ...(unknown.size === 0 ? [] : [`Not recognized as ${unknown.size === 1 ? 'a country' : 'countries'}: ${listed([...unknown], count)}.`]),
    ...(small.length === 0 ? [] : [`Too small for the map: ${listed(small, count)}.`]),
    ...(drawn.some((each) => each.rows.length > 1) ? ['Rows of the same country are added up.'] : []),
  ]
  const labels = drawn.map(({ country }) => country.name)
  return {
    category: {
      field: names.field,
      title: drawnColumn(input, nameKey!)!.title,
      count: labels.length,
      labelAt: (index) => labels[index]!,
      positions: null,
      isTime: false,
      labelOf: String,
      placeOf: (value) => {
        const country = typeof value === 'string' ? findCountry(value) : undefined
        return country ? labels.indexOf(country.name) : null
      },
    },
    series: [
      {
        ...seriesBase(column, series!),
        values: drawn.map((each) => numberOf(exactValue(input, column, each.rows))),
        shapeIds: drawn.map(({ country }) => country.code),
        textAt: (point) => valueText(column, series!.part, exactValue(input, column, drawn[point]!.rows)),
        rowsAt: (point) => drawn[point]!.rows,
      },
    ],
    notes,
    problems: [],
  }
}

function listed(names: string[], count: Intl.NumberFormat): string {
  const shown = names.slice(0, maxListed).map((name) => `“${name}”`).join(', ')
  return names.length <= maxListed ? shown : `${shown} and ${countText(names.length - maxListed, 'other', count)}`
}
