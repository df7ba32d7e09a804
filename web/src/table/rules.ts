/** A game's page without what is only for programmers: examples in Python, numbers that tests cite, links into the folder. */
export function tidy(markdown: string): string {
  // The numbers of a table's rows stay, and what refers to them.
  const dropped = new Set([...markdown.matchAll(/^ *- \*\*([A-Z]{2}-?[A-Z]?\d+)\*\* /gm)].map((found) => found[1]));
  return markdown
    .replace(/ \(([A-Z]{2}-?[A-Z]?\d+)\)/g, (whole, number: string) => (dropped.has(number) ? "" : whole))
    .replace(/```pycon[\s\S]*?```\n?/g, "")
    .replace(/^ *- \*\*([A-Z]{2}-?[A-Z]?\d+)\*\* /gm, "- ")
    .replace(/^## The rules, numbered$/m, "## The rules")
    .replace(/^Code and tests cite these numbers\.\n/gm, "")
    .replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, "$1");
}
