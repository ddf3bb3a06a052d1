import { Outlet } from '@tanstack/react-router'
import { Brand } from './brand.tsx'

/** The layout of pages for people who aren't signed in: the brand and one centered card. */
export function BarePage() {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <header className="px-6 py-4">
        <Brand />
      </header>
      <main className="mx-auto w-full max-w-md px-4 py-8 sm:py-[10vh]">
        <Outlet />
      </main>
    </div>
  )
}
