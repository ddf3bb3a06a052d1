const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** The name of the key for shortcuts: Command on a Mac, Control elsewhere. */
export const modKey = isMac ? '⌘' : 'Ctrl'
