/** Progress in percent; indeterminate without `value`. */
export function ProgressBar({ label, value }: { label: string; value?: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(value !== undefined && { 'aria-valuenow': value })}
      className="h-1.5 overflow-hidden rounded-full bg-raised"
    >
      <div
        className={`h-full rounded-full bg-accent transition-[width] ${value === undefined ? 'w-full animate-pulse' : ''}`}
        {...(value !== undefined && { style: { width: `${value}%` } })}
      />
    </div>
  )
}
