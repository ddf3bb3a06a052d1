/** A placeholder while data loads, so that the layout doesn't jump. */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div className="grid animate-pulse gap-3" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className="h-10 rounded-md bg-raised" />
      ))}
    </div>
  )
}
