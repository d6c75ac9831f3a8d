export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Storage can be forbidden; the choice then lasts as long as the page.
  }
}

export function recalled(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}
