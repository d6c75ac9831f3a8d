/** The folders that the page about the architecture shows: top ones, those of each `src/`, and of the service's bands. */
export function foldersOf(files: string[]): string[] {
  const shown = files.flatMap((file) => {
    const folders = file.split('/').slice(0, -1)
    const depth = folders[1] !== 'src' ? 1 : folders[0] === 'service' ? 4 : 3
    return folders.slice(0, depth).map((_, i) => folders.slice(0, i + 1).join('/'))
  })
  return [...new Set(shown)].filter((folder) => !folder.startsWith('.') && !folder.endsWith('/src'))
}

/** Those whose names the document does not have with a slash behind, as in `rooms/`. */
export const foldersMissingIn = (document: string, folders: string[]): string[] =>
  folders.filter((folder) => {
    const name = folder.split('/').at(-1) ?? ''
    return !new RegExp(`(?<![\\w-])${name}/`).test(document)
  })
