/** A game's page without what is only for programmers: examples in Python, sources, links into the folder. */
export function tidy(markdown: string): string {
  return markdown
    .replace(/```pycon[\s\S]*?```\n?/g, "")
    .replace(/^ *- \*\*([A-Z]{2}-?[A-Z]?\d+)\*\* /gm, "- ")
    .replace(/^## The rules, numbered$/m, "## The rules")
    .replace(/^Code and tests cite these numbers\.\n/gm, "")
    .replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, "$1");
}
