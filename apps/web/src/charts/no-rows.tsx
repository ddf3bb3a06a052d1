export function NoRows() {
  return (
    <p className="grid h-40 place-items-center rounded-lg border border-dashed border-line text-soft">
      The query returned no rows.
    </p>
  )
}
