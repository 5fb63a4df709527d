//! The same module in a form that compresses better: what is free to choose is chosen alike everywhere.

use std::cmp::Reverse;
use std::convert::Infallible;

use anyhow::Result;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, ExportSection, Function, FunctionSection, ImportSection, Instruction, MemArg, Module};
use wasmparser::{
    CodeSectionReader, CompositeInnerType, Export, FunctionBody, FunctionSectionReader, Import, Operator, Parser,
    Payload,
};

/// A module of the same functions, and its names with the short ones that now stand for them. Functions of one type stand
/// together, the small ones first; in each function the variables used most have the lowest numbers; and alignments, which are
/// hints and slow nothing down, are all the same.
pub fn pack(bytes: &[u8]) -> Result<(Vec<u8>, Names)> {
    let survey = Survey::of(bytes)?;
    let mut packer = Packer {
        functions: survey.order(),
        imported: survey.imported,
        parameters: survey.functions.iter().map(|(kind, _)| survey.parameters[*kind as usize]).collect(),
        names: Names::default(),
        variables: Vec::new(),
        current: 0,
    };
    let mut module = Module::new();
    packer.parse_core_module(&mut module, Parser::new(0), bytes)?;
    Ok((module.finish(), packer.names))
}

/// Names that a module and its glue have for each other, each with a short one to take its place.
#[derive(Debug, Default, PartialEq)]
pub struct Names {
    /// What the module imports.
    pub imports: Vec<(String, String)>,
    /// What it exports under a name that wasm-bindgen made up.
    pub exports: Vec<(String, String)>,
}

/// How the names begin that wasm-bindgen makes up.
const MADE_UP: [&str; 2] = ["__", "wasm_bindgen_"];

/// What must be known of a module before it can be written anew.
#[derive(Default)]
struct Survey {
    /// The number of parameters of each type of function.
    parameters: Vec<u32>,
    /// The number of functions that are imported: they come first, and keep their numbers.
    imported: u32,
    /// Of each other function its type and its size.
    functions: Vec<(u32, usize)>,
}

impl Survey {
    fn of(bytes: &[u8]) -> Result<Survey> {
        let mut survey = Survey::default();
        let mut kinds = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(section) => {
                    for group in section {
                        survey.parameters.extend(group?.types().map(|kind| match &kind.composite_type.inner {
                            CompositeInnerType::Func(function) => function.params().len() as u32,
                            _ => 0,
                        }));
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        survey.imported += u32::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(section) => kinds = section.into_iter().collect::<Result<_, _>>()?,
                Payload::CodeSectionEntry(body) => {
                    survey.functions.push((kinds[survey.functions.len()], body.range().len()));
                }
                _ => {}
            }
        }
        Ok(survey)
    }

    /// The functions in the order in which they are to stand.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.functions.len()).collect();
        order.sort_by_key(|&function| self.functions[function]);
        order
    }
}

struct Packer {
    /// The functions in their new order.
    functions: Vec<usize>,
    imported: u32,
    /// The number of parameters of each function.
    parameters: Vec<u32>,
    names: Names,
    /// The function that is being written.
    current: usize,
    /// The new number of each of its parameters and variables.
    variables: Vec<u32>,
}

type Reencoded<T = ()> = Result<T, Error<Infallible>>;

impl Packer {
    fn variable(&self, old: u32) -> u32 {
        self.variables[old as usize]
    }
}

impl Reencode for Packer {
    type Error = Infallible;

    fn parse_import(&mut self, imports: &mut ImportSection, import: Import<'_>) -> Reencoded {
        let short = format!("i{}", self.names.imports.len());
        imports.import(import.module, &short, self.entity_type(import.ty)?);
        self.names.imports.push((import.name.to_owned(), short));
        Ok(())
    }

    fn parse_export(&mut self, exports: &mut ExportSection, export: Export<'_>) -> Reencoded {
        if !MADE_UP.iter().any(|start| export.name.starts_with(start)) {
            return utils::parse_export(self, exports, export);
        }
        let short = format!("x{}", self.names.exports.len());
        self.names.exports.push((export.name.to_owned(), short.clone()));
        utils::parse_export(self, exports, Export { name: &short, ..export })
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Reencoded {
        section.into_imports().try_for_each(|import| self.parse_import(imports, import?))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Reencoded {
        let kinds = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for function in &self.functions {
            functions.function(kinds[*function]);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, code: &mut CodeSection, section: CodeSectionReader<'_>) -> Reencoded {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for function in self.functions.clone() {
            self.current = function;
            self.parse_function_body(code, bodies[function].clone())?;
        }
        Ok(())
    }

    fn function_index(&mut self, old: u32) -> Reencoded<u32> {
        let Some(own) = old.checked_sub(self.imported) else { return Ok(old) };
        let new = self.functions.iter().position(|function| *function == own as usize);
        Ok(self.imported + new.expect("the order is one of all functions") as u32)
    }

    fn new_function_with_parsed_locals(&mut self, body: &FunctionBody<'_>) -> Reencoded<Function> {
        let parameters = self.parameters[self.current];
        let mut types = Vec::new();
        for run in body.get_locals_reader()? {
            let (count, kind) = run?;
            types.extend(std::iter::repeat_n(self.val_type(kind)?, count as usize));
        }
        let mut uses = vec![0_u32; types.len()];
        for operator in body.get_operators_reader()? {
            if let Some(own) = variable(&operator?).and_then(|variable| variable.checked_sub(parameters)) {
                uses[own as usize] += 1;
            }
        }
        let mut order: Vec<usize> = (0..types.len()).collect();
        order.sort_by_key(|&variable| Reverse(uses[variable]));
        self.variables = (0..parameters + types.len() as u32).collect();
        for (new, old) in (parameters..).zip(&order) {
            self.variables[parameters as usize + old] = new;
        }
        Ok(Function::new_with_locals_types(order.iter().map(|old| types[*old])))
    }

    fn instruction<'a>(&mut self, operator: Operator<'a>) -> Reencoded<Instruction<'a>> {
        Ok(match operator {
            Operator::LocalGet { local_index } => Instruction::LocalGet(self.variable(local_index)),
            Operator::LocalSet { local_index } => Instruction::LocalSet(self.variable(local_index)),
            Operator::LocalTee { local_index } => Instruction::LocalTee(self.variable(local_index)),
            operator => utils::instruction(self, operator)?,
        })
    }

    fn mem_arg(&mut self, access: wasmparser::MemArg) -> Reencoded<MemArg> {
        Ok(MemArg { align: 0, ..utils::mem_arg(self, access)? })
    }
}

/// The variable that an operator is about.
fn variable(operator: &Operator<'_>) -> Option<u32> {
    match operator {
        Operator::LocalGet { local_index }
        | Operator::LocalSet { local_index }
        | Operator::LocalTee { local_index } => Some(*local_index),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{EntityType, ExportKind, TypeSection, ValType};

    use super::*;

    /// An import, and two functions, of which the larger one is exported twice.
    fn module([import, export]: [&str; 2], functions: &[&Function], large: u32) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], []);
        let mut imports = ImportSection::new();
        imports.import("./glue.js", import, EntityType::Function(0));
        let mut kinds = FunctionSection::new();
        let mut exports = ExportSection::new();
        exports.export("large", ExportKind::Func, large).export(export, ExportKind::Func, large);
        let mut code = CodeSection::new();
        for function in functions {
            kinds.function(0);
            code.function(function);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&kinds).section(&exports).section(&code);
        module.finish()
    }

    /// It calls the other with one of its two variables.
    fn large(locals: [ValType; 2], used: u32, calls: u32) -> Function {
        let mut function = Function::new_with_locals_types(locals);
        function.instructions().local_get(0).local_set(used).local_get(used).call(calls).end();
        function
    }

    fn small(calls: u32) -> Function {
        let mut function = Function::new([]);
        function.instructions().local_get(0).call(calls).end();
        function
    }

    #[test]
    fn what_refers_to_something_that_has_moved_goes_along() {
        let before = module(
            ["__wbg_focus_d5e2fdbdb56416f0", "__wbindgen_start"],
            &[&large([ValType::F64, ValType::I32], 2, 2), &small(0)],
            1,
        );
        let after = module(["i0", "x0"], &[&small(0), &large([ValType::I32, ValType::F64], 1, 1)], 2);
        let (packed, names) = pack(&before).unwrap();
        assert_eq!(packed, after);
        let pairs = |long: &str, short: &str| vec![(long.to_owned(), short.to_owned())];
        assert_eq!(names.imports, pairs("__wbg_focus_d5e2fdbdb56416f0", "i0"));
        assert_eq!(names.exports, pairs("__wbindgen_start", "x0"));
        assert_eq!(pack(&after).unwrap().0, after, "there is nothing more to gain");
    }
}
