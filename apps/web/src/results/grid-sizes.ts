/** In pixels. All rows have the same height, so that their positions need no measuring. */
export const rowHeight = 30
export const headerHeight = 46
