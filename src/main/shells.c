/* shells.c - completion of the program's own command line, as a script for bash or zsh printed from the tables. */
#include "expr.h"
#include "main.h"
#include "words.h"

/* What the value of an option is: words, or files that end so. Options that are not here take what cannot be guessed.
 */
static const struct {
	const char *option, *words, *ends;
} value_row[] = {{"execute-file", NULL, "*"},
		 {"template", NULL, "*.ptx"},
		 {"sweep", NULL, "*.scn"},
		 {"jobs", NULL, "*.scn"},
		 {"results", NULL, "*.db"},
		 {"merge", NULL, "*.db"},
		 {"chart", NULL, "*.svg"},
		 {"color", "auto always never", NULL},
		 {"size", "80x24 100x30 200x60", NULL},
		 {"print-man", MAN_TOPICS, NULL},
		 {"print-completion", "bash zsh", NULL}};

/* The pattern of a case: the option's long name and its letter. */
static void print_pattern(FILE *out, const struct option_row *o)
{
	fprintf(out, "\t--%s", o->name);
	if (option_letter(o))
		fprintf(out, "|-%c", option_letter(o));
	fprintf(out, ") ");
}

/* The names of all commands, with blanks between. */
static void print_commands(FILE *out)
{
	for (u32 i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "%s%s", i ? " " : "", command_table[i]->name);
}

/* The case of an option that takes a value. */
static void print_value(FILE *out, const struct option_row *o)
{
	print_pattern(out, o);
	for (u32 i = 0; i < ARRAY_LEN(value_row); i++) {
		if (strcmp(value_row[i].option, o->name))
			continue;
		if (value_row[i].words)
			fprintf(out, "COMPREPLY=($(compgen -W '%s' -- \"$cur\")); ", value_row[i].words);
		else
			fprintf(out, "_warpstep_files '%s'; ", value_row[i].ends);
	}
	if (!strcmp(o->name, "execute")) {
		fprintf(out, "COMPREPLY=($(compgen -W '");
		print_commands(out);
		fprintf(out, "' -- \"$cur\")); ");
	}
	fprintf(out, "return ;;\n");
}

static void print_bash(FILE *out)
{
	fputs("# bash completion of warpstep, printed by warpstep --print-completion=bash.\n\n"
	      "# Directories, and files whose names end so.\n"
	      "_warpstep_files()\n{\n\tlocal IFS=$'\\n' end\n"
	      "\tCOMPREPLY=($(compgen -d -- \"$cur\"))\n"
	      "\tfor end; do COMPREPLY+=($(compgen -f -X \"!$end\" -- \"$cur\")); done\n"
	      "\tcompopt -o filenames 2>/dev/null\n}\n\n"
	      "_warpstep()\n{\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [ \"$cur\" = = ]; then cur=; elif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
	      "\tcase $prev in\n",
	      out);
	for (u32 i = 0; i < OPTION_COUNT; i++)
		if (option_table[i].value)
			print_value(out, &option_table[i]);
	fputs("\tesac\n\tif [[ $cur == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W '", out);
	for (u32 i = 0; i < OPTION_COUNT; i++)
		fprintf(out, "%s--%s%s", i ? " " : "", option_table[i].name, option_table[i].value ? "=" : "");
	fputs("' -- \"$cur\"))\n\t\t[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null\n\t\treturn\n\tfi\n"
	      "\t_warpstep_files '*.scn' '*.ptx' '*.g' '*.traceg' '*.traceg.gz' '*.traceg.xz' '*.tracez'\n}\n\n"
	      "complete -F _warpstep warpstep\n",
	      out);
}

/* A text inside single quotes, where brackets and colons would end a part of it. */
static void print_zsh_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("[]:\\", *text))
			putc('\\', out);
		fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, out);
	}
}

/* What completes the value of an option. */
static void print_zsh_value(FILE *out, const struct option_row *o)
{
	fputc(':', out);
	print_zsh_text(out, o->value);
	fputc(':', out);
	for (u32 i = 0; i < ARRAY_LEN(value_row); i++) {
		if (strcmp(value_row[i].option, o->name))
			continue;
		if (value_row[i].words)
			fprintf(out, "(%s)", value_row[i].words + strspn(value_row[i].words, " "));
		else
			fprintf(out, "_files -g \"%s\"", value_row[i].ends);
	}
	if (!strcmp(o->name, "execute")) {
		fputc('(', out);
		print_commands(out);
		fputc(')', out);
	}
}

/* An option: '(-x --long)'{-x+,--long=}'[what it does]:VALUE:what completes it'; * in front if it may stand again. */
static void print_zsh_option(FILE *out, const struct option_row *o)
{
	bool again = !strncmp(o->name, "execute", 7);
	char letter = option_letter(o);

	fputs("\t", out);
	if (again)
		fputs("'*'", out);
	else if (letter)
		fprintf(out, "'(-%c --%s)'", letter, o->name);
	if (letter)
		fprintf(out, "{-%c%s,--%s%s}", letter, o->value ? "+" : "", o->name, o->value ? "=" : "");
	else
		fprintf(out, "--%s%s", o->name, o->value ? "=" : "");
	fputs("'[", out);
	print_zsh_text(out, o->doc);
	fputc(']', out);
	if (o->value)
		print_zsh_value(out, o);
	fputs("' \\\n", out);
}

static void print_zsh(FILE *out)
{
	fputs("#compdef warpstep\n# zsh completion of warpstep, printed by warpstep --print-completion=zsh.\n\n_arguments -s -S \\\n",
	      out);
	for (u32 i = 0; i < OPTION_COUNT; i++)
		print_zsh_option(out, &option_table[i]);
	fputs("\t'*:file:_files -g \"*.(scn|ptx|g|traceg|traceg.gz|traceg.xz)\"'\n", out);
}

bool completion_print(const char *shell, FILE *out)
{
	if (!strcmp(shell, "bash"))
		print_bash(out);
	else if (!strcmp(shell, "zsh"))
		print_zsh(out);
	else
		return false;
	return true;
}
