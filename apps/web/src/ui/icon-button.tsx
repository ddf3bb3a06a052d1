import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Tooltip } from './tooltip.tsx'

/**
 * A button with only an icon. `label` is its tooltip and its name for screen readers. A size in `className` replaces the usual one;
 * with both, the order of the style sheet would decide.
 */
export function IconButton({
  label,
  icon,
  className,
  type = 'button',
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & { label: string; icon: ReactNode }) {
  return (
    <Tooltip text={label}>
      <button
        type={type}
        aria-label={label}
        className={classNames(
          !/(^|\s)size-/.test(className ?? '') && 'size-8',
          'inline-flex shrink-0 items-center justify-center rounded-md text-soft enabled:hover:bg-raised enabled:hover:text-ink disabled:opacity-50 [&_svg]:size-4',
          className,
        )}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  )
}
