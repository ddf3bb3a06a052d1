/** In pixels; every row has the same height, so that where a row is needs no measuring. */
export const rowHeight = 30
export const headerHeight = 46
