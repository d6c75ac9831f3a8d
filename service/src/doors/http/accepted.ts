/** What a header such as `Accept` lists, in lower case; `q=0` means that the caller does not accept it. */
export const acceptedIn = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((entry) =>
      entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/),
    )
    .filter(([, quality = 'q=1']) => !/^q=0(\.0*)?$/.test(quality))
    .map(([name = '']) => name)
