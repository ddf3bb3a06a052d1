import { useEffect, useEffectEvent } from 'react'
import type { DisplayOptions } from '../content/display-options.ts'

/** Refreshes, rotates and keeps the screen on while a board is on a display. Escape, or leaving full screen, ends it. */
export function useDisplay(options: DisplayOptions & { onRefresh(): void; onNextTab(): void; onLeave(): void }): void {
  const { isOn, refreshSeconds, rotateSeconds } = options
  const refresh = useEffectEvent(options.onRefresh)
  const showNextTab = useEffectEvent(options.onNextTab)
  const leave = useEffectEvent(options.onLeave)

  useEffect(() => {
    if (!isOn || refreshSeconds === undefined) return
    const timer = setInterval(() => refresh(), refreshSeconds * 1000)
    return () => clearInterval(timer)
  }, [isOn, refreshSeconds])

  useEffect(() => {
    if (!isOn || rotateSeconds === undefined) return
    const timer = setInterval(() => showNextTab(), rotateSeconds * 1000)
    return () => clearInterval(timer)
  }, [isOn, rotateSeconds])

  useEffect(() => {
    if (!isOn) return
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('[role="dialog"], [role="menu"]')) return
      if (document.fullscreenElement) void document.exitFullscreen()
      leave()
    }
    // The browser keeps the Escape that ends full screen to itself.
    const handleFullScreen = () => {
      if (!document.fullscreenElement) leave()
    }
    window.addEventListener('keydown', handleKey)
    document.addEventListener('fullscreenchange', handleFullScreen)
    return () => {
      window.removeEventListener('keydown', handleKey)
      document.removeEventListener('fullscreenchange', handleFullScreen)
    }
  }, [isOn])

  useEffect(() => (isOn ? keepScreenOn() : undefined), [isOn])
}

/** Asks the browser to keep the screen on, again whenever the page becomes visible. Returns a function that ends it. */
function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | undefined
  let isEnded = false
  const acquire = async () => {
    // The type says otherwise, but not every browser has it, and pages without HTTPS don't.
    const wakeLock = (navigator as Partial<Navigator>).wakeLock
    if (!wakeLock || document.visibilityState !== 'visible') return
    const acquired = await wakeLock.request('screen')
    if (isEnded) await acquired.release()
    else lock = acquired
  }
  // A browser that saves power refuses, and the display works without it.
  const tryAcquire = () => void acquire().catch(() => undefined)
  tryAcquire()
  document.addEventListener('visibilitychange', tryAcquire)
  return () => {
    isEnded = true
    document.removeEventListener('visibilitychange', tryAcquire)
    void lock?.release().catch(() => undefined)
  }
}
