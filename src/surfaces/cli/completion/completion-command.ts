/**
 * `loadout completion`: prints the script that makes a shell complete our command lines. The scripts know no command and
 * no flag. They ask `loadout complete`, which reads the declarations, so that a new version needs no new script.
 */

import { LoadoutError } from '../../../model/loadout-error.ts';
import { type CliCommand, type CommandCall, unknownAction } from '../command.ts';

const BASH = `# Completion of loadout in bash, made by: loadout completion bash
_loadout() {
  local paths=none value help
  COMPREPLY=()
  # The program answers with words that are quoted already. Nothing of the answer is evaluated.
  {
    IFS= read -r -d '' paths
    while IFS= read -r -d '' value && IFS= read -r -d '' help; do
      COMPREPLY+=("$value")
    done
  } < <(command loadout complete bash -- "${'$'}{COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
  if [ "$paths" = files ]; then compopt -o default 2>/dev/null; fi
  if [ "$paths" = folders ]; then compopt -o dirnames 2>/dev/null; fi
}
complete -F _loadout loadout
`;

const ZSH = String.raw`#compdef loadout
# Completion of loadout in zsh, made by: loadout completion zsh
_loadout() {
  local -a answer values shown
  local -i at
  local typed="${'$'}{(Q)PREFIX}"
  # A NUL ends each part of the answer. Nothing of it is evaluated; compadd quotes what it inserts.
  answer=("${'$'}{(@0)"$(command loadout complete zsh -- "${'$'}{(@Q)words[2,CURRENT-1]}" "$typed" 2>/dev/null)"}")
  for (( at = 2; at < ${'$'}{#answer}; at += 2 )); do
    values+=("${'$'}{answer[at]}")
    if [[ -n "${'$'}{answer[at+1]}" ]]; then
      shown+=("${'$'}{answer[at]}  -- ${'$'}{answer[at+1]}")
    else
      shown+=("${'$'}{answer[at]//${'$'}'\n'/ }")
    fi
  done
  local -i found=1
  if (( ${'$'}{#values} )); then
    if [[ -n "${'$'}{answer[3]}" ]]; then
      compadd -l -d shown -- "${'$'}{values[@]}" && found=0
    else
      compadd -d shown -- "${'$'}{values[@]}" && found=0
    fi
  fi
  case "${'$'}{answer[1]}" in
    files) _files && found=0 ;;
    folders) _files -/ && found=0 ;;
  esac
  return found
}
if [[ "${'$'}{zsh_eval_context[-1]}" == loadautofunc ]]; then
  _loadout "$@"
else
  compdef _loadout loadout
fi
`;

const FISH = String.raw`# Completion of loadout in fish, made by: loadout completion fish
function __loadout_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct | string collect)
    # A NUL ends each part of the answer. Nothing of it is evaluated; fish quotes what it inserts.
    set -l answer (command loadout complete fish -- $words[2..-1] "$typed" 2>/dev/null | string split0)
    set -l found
    set -l at 2
    while test $at -lt (count $answer)
        set -a found $answer[$at]\t$answer[(math $at + 1)]
        set at (math $at + 2)
    end
    switch "$answer[1]"
        case files
            __fish_complete_path "$typed"
        case folders
            __fish_complete_directories "$typed"
    end
    if test (count $found) -gt 0
        printf '%s\n' $found
    end
end
complete -c loadout -f -a '(__loadout_complete)'
`;

const POWERSHELL = String.raw`# Completion of loadout in PowerShell, made by: loadout completion powershell
Register-ArgumentCompleter -Native -CommandName loadout -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @(
        foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
            if ($element.Extent.EndOffset -lt $cursorPosition) {
                if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value }
                else { $element.Extent.Text }
            }
        }
    )
    $typed = [string]$wordToComplete -replace '^[''"]|[''"]$', ''
    $json = ConvertTo-Json -Compress -InputObject @($words + $typed)
    $question = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($json))
    # The answer is JSON in ASCII. Nothing of it is evaluated.
    $answer = (& loadout complete powershell -- $question 2>$null) -join ''
    if (-not $answer) { return }
    foreach ($candidate in (ConvertFrom-Json -InputObject $answer).candidates) {
        $text = $candidate.value
        # Curly quotes end a text as well, so each of them is doubled.
        if ($text -cnotmatch '^(--)?[A-Za-z0-9_][A-Za-z0-9_./=:+-]*$') {
            $text = "'" + ($text -replace "['\u2018\u2019\u201a\u201b]", '$0$0') + "'"
        }
        $help = if ($candidate.help) { $candidate.help } else { $candidate.value }
        [System.Management.Automation.CompletionResult]::new($text, $candidate.value, 'ParameterValue', $help)
    }
}
`;

/** The script of each shell. */
const SCRIPTS = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};

const SHELLS = Object.keys(SCRIPTS) as readonly (keyof typeof SCRIPTS)[];

export const completion: CliCommand = {
  name: 'completion',
  summary: 'Print the script that completes commands, flags and names in your shell.',
  arguments: [{ syntax: '<SHELL>', help: `One of ${SHELLS.join(', ')}.`, values: SHELLS }],
  settings: [],
  flags: [],
  examples: [
    { line: 'source <(loadout completion bash)', does: 'for bash: put this line into ~/.bashrc' },
    {
      line: 'source <(loadout completion zsh)',
      does: 'for zsh: put this line into ~/.zshrc, after compinit',
    },
    {
      line: 'loadout completion fish > ~/.config/fish/completions/loadout.fish',
      does: 'for fish',
    },
    {
      line: 'loadout completion powershell | Out-String | Invoke-Expression',
      does: 'for PowerShell: put this line into your $PROFILE',
    },
  ],
  run: async (call) => {
    const shell = SHELLS.find((one) => one === call.arguments[0]);
    if (shell === undefined) throw unknownShell(call);
    if (call.global.json) call.output.json({ shell, script: SCRIPTS[shell] }, true);
    else call.io.stdout.write(SCRIPTS[shell]);
    return 0;
  },
};

function unknownShell(call: CommandCall): LoadoutError {
  const { message } = unknownAction(call, SHELLS);
  return new LoadoutError(
    'bad-shell',
    message.replace('no action', 'no script for the shell').replace(/ for completion$/, ''),
    {
      subject: '<SHELL>',
      hint: `use one of ${SHELLS.join(', ')}`,
    },
  );
}
