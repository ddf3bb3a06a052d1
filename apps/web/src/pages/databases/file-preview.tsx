import { useQuery } from '@tanstack/react-query'
import { type ColumnType, type CsvReading, type FilePreview as Preview, filePreviewOptions, isWorkbook } from '../../api/file-preview.ts'
import { messageOf } from '../../api/request.ts'
import { Field } from '../../ui/field.tsx'
import { Choice, Select } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { FileImport, ImportAction } from './imports.ts'
import { dateOrderLabels, decimalLabels, delimiterLabels, encodingLabels, thousandsLabels, typeLabels } from './reading-labels.ts'

interface PreviewProps {
  databaseId: string
  one: FileImport
  dispatch(action: ImportAction): void
}

/** How the service reads a CSV file or a sheet: everything it detected can be changed before the import. */
export function FilePreview({ databaseId, one, dispatch }: PreviewProps) {
  const { id, file, given, sheet } = one
  const preview = useQuery(filePreviewOptions(databaseId, { file, given, sheet }))
  const change = (changed: Partial<CsvReading>) => dispatch({ type: 'read', id, given: changed, sheet })
  if (preview.error && !preview.data) return <Problem title="Couldn’t preview this file" message={messageOf(preview.error)} />
  if (!preview.data) return <Skeleton rows={4} />
  // A choice counts from the moment it is made, not from the answer to it, so that two quick changes are both kept.
  const reading = { ...preview.data.reading, ...given }
  const isDetectingTypes = preview.isPlaceholderData && !given.types
  return (
    <details open className="grid gap-3">
      <summary className="w-fit cursor-pointer text-xs font-medium">Preview and column types</summary>
      <div className="mt-3 grid gap-3">
        {isWorkbook(file) ? (
          <SheetFields
            reading={reading}
            sheets={preview.data.sheets}
            sheet={sheet}
            onSheet={(chosen) => dispatch({ type: 'read', id, given: {}, sheet: chosen })}
            change={change}
          />
        ) : (
          <LayoutFields reading={reading} change={change} />
        )}
        <FirstRows
          fileName={file.name}
          preview={{ ...preview.data, reading }}
          isDetectingTypes={isDetectingTypes}
          onType={(index, type) => change({ ...reading, types: reading.types.map((each, at) => (at === index ? type : each)) })}
        />
      </div>
    </details>
  )
}

/** A change of the layout detects the types again, because the columns may have changed. */
function LayoutFields({ reading, change }: ReadingProps) {
  const { types: _, ...layout } = reading
  const { decimalSign } = layout
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <Options label="Encoding" labels={encodingLabels} value={layout.encoding} onChange={(encoding) => change({ encoding })} />
      <Options
        label="Delimiter"
        labels={delimiterLabels}
        value={layout.delimiter}
        onChange={(delimiter) => change({ encoding: layout.encoding, delimiter })}
      />
      <Options
        label="Decimal sign"
        labels={decimalLabels}
        value={decimalSign}
        onChange={(sign) => change({ ...layout, decimalSign: sign, thousandsSeparator: '' })}
      />
      <Options
        label="Thousands separator"
        labels={Object.fromEntries(Object.entries(thousandsLabels).filter(([separator]) => separator !== decimalSign))}
        value={layout.thousandsSeparator}
        onChange={(thousandsSeparator) => change({ ...layout, thousandsSeparator })}
      />
      <Options label="Dates" labels={dateOrderLabels} value={layout.dateOrder} onChange={(dateOrder) => change({ ...layout, dateOrder })} />
      <HeaderChoice reading={reading} change={change} />
    </div>
  )
}

interface ReadingProps {
  reading: CsvReading
  change(changed: Partial<CsvReading>): void
}

function SheetFields(props: ReadingProps & { sheets: string[]; sheet: string | undefined; onSheet(sheet: string): void }) {
  const { sheets, sheet = sheets[0] ?? '', onSheet } = props
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Options label="Sheet" labels={Object.fromEntries(sheets.map((name) => [name, name]))} value={sheet} onChange={onSheet} />
      <HeaderChoice {...props} />
    </div>
  )
}

function HeaderChoice({ reading: { types: _, ...layout }, change }: ReadingProps) {
  return (
    <Choice
      className="col-span-full"
      label="The first line contains the column names"
      checked={layout.hasHeader}
      onChange={(event) => change({ ...layout, hasHeader: event.target.checked })}
    />
  )
}

function Options<Value extends string>(props: {
  label: string
  labels: Partial<Record<Value, string>>
  value: Value
  onChange(value: Value): void
}) {
  return (
    <Field label={props.label}>
      <Select value={props.value} onChange={(event) => props.onChange(event.target.value as Value)}>
        {(Object.keys(props.labels) as Value[]).map((value) => (
          <option key={value} value={value}>{props.labels[value]}</option>
        ))}
      </Select>
    </Field>
  )
}

const shownRows = 5

interface FirstRowsProps {
  fileName: string
  preview: Preview
  isDetectingTypes: boolean
  onType(index: number, type: ColumnType): void
}

function FirstRows(props: FirstRowsProps) {
  const { fileName, preview: { reading, columns, rows }, isDetectingTypes, onType } = props
  return (
    <div className="overflow-x-auto rounded-md border border-line">
      <table className="w-full text-xs" aria-label={`First rows of ${fileName}`}>
        <thead>
          <tr className="border-b border-line align-top">
            {columns.map(({ name, misfit }, index) => (
              <th key={name} scope="col" className="min-w-32 p-2 text-left font-medium">
                <span className="mb-1 block max-w-48 truncate" title={name}>{name}</span>
                <Select
                  aria-label={`Type of ${name}`}
                  value={reading.types[index]}
                  disabled={isDetectingTypes}
                  onChange={(event) => onType(index, event.target.value as ColumnType)}
                >
                  {(Object.keys(typeLabels) as ColumnType[]).map((type) => (
                    <option key={type} value={type}>{typeLabels[type]}</option>
                  ))}
                </Select>
                {misfit && (
                  <span role="alert" className="mt-1 block max-w-48 font-normal text-danger [overflow-wrap:anywhere]">
                    Doesn’t fit: “{misfit.value}” in {isWorkbook({ name: fileName }) ? 'row' : 'line'} {misfit.line}
                  </span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shownRows).map((row, index) => (
            // Rows are identified only by their position.
            <tr key={index} className="border-b border-line last:border-b-0">
              {columns.map(({ name }, at) => (
                <td key={name} className="max-w-48 truncate p-2">{row[at] ?? ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
